import { i18n } from '@lingui/core';

/** A test reads the texts of the console as the source has them. */
i18n.loadAndActivate({ locale: 'en', messages: {} });
