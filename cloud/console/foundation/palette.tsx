import { useLingui as useTexts } from '@lingui/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import './palette.css';
import { api } from '../client/api.ts';
import { linkTo } from '../client/route.ts';
import { domain } from '../client/session.ts';
import { nameOf, PAGES } from './page-list.ts';

/** Something that a person can go to. */
interface Goal {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

/** A person types faster than that. */
const PAUSE_MS = 250;
const MOST = 8;

/** Ctrl-K: pages, devices, sites and hosts by what a person remembers of their names. */
export default function Palette({ close }: { readonly close: () => void }) {
  const { t } = useLingui();
  const { i18n } = useTexts();
  const [words, setWords] = useState('');
  const found = useFound(words.trim());
  const pages = PAGES.filter(
    ({ under, isOffered, title }) =>
      under === undefined && (isOffered?.() ?? true) && holds(i18n._(title), words),
  ).map((entry) => ({
    key: `page ${entry.path}`,
    title: i18n._(entry.title),
    detail: '',
    href: linkTo(nameOf(entry)),
  }));
  const parts = [
    { title: t`Pages`, goals: pages.slice(0, MOST) },
    { title: t`Devices`, goals: found.devices },
    {
      title: t`Sites and hosts`,
      goals: found.places.filter(({ title }) => holds(title, words)).slice(0, MOST),
    },
  ].filter(({ goals }) => goals.length > 0);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={close} className="palette-veil">
      <Modal className="palette">
        <Dialog aria-label={t`Find`}>
          <Autocomplete inputValue={words} onInputChange={setWords}>
            <SearchField aria-label={t`Find a page, a device, a site or a host`} autoFocus>
              <Input placeholder={t`Page, device, site or host`} />
            </SearchField>
            <Menu
              className="palette-list"
              onAction={close}
              renderEmptyState={() => (
                <p className="dim">
                  <Trans>Nothing has this name.</Trans>
                </p>
              )}
            >
              {parts.map(({ title, goals }) => (
                <MenuSection key={title}>
                  <Header className="area-name">{title}</Header>
                  {goals.map((goal) => (
                    <MenuItem key={goal.key} id={goal.key} href={goal.href} textValue={goal.title}>
                      {goal.title} <span className="dim">{goal.detail}</span>
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const holds = (text: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** Devices are asked for as a person types; the places of a tenant are few, and read once. */
function useFound(words: string): { readonly devices: readonly Goal[]; readonly places: readonly Goal[] } {
  const [devices, setDevices] = useState<readonly Goal[]>([]);
  const [places, setPlaces] = useState<readonly Goal[]>([]);
  useEffect(() => {
    void readPlaces().then(setPlaces);
  }, []);
  useEffect(() => {
    if (words === '') return setDevices([]);
    let over = false;
    const timer = setTimeout(() => {
      void readDevices(words).then((goals) => over || setDevices(goals));
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [words]);
  return { devices, places };
}

async function readDevices(filter: string): Promise<readonly Goal[]> {
  const answer = await api.call('getProvisioningDevice', {
    domain: domain.value,
    limit: String(MOST),
    filter,
  });
  if (!answer.ok) return [];
  return answer.value.devices.map(({ deviceId, description = '' }) => ({
    key: `device ${deviceId}`,
    title: deviceId,
    detail: description,
    href: `${linkTo('device')}?find=${encodeURIComponent(deviceId)}`,
  }));
}

async function readPlaces(): Promise<readonly Goal[]> {
  const answer = await api.call('getSiteByDomain', { domain: domain.value });
  if (!answer.ok) return [];
  const { site: hosts, sites } = answer.value.data;
  return [
    ...sites.map(({ siteId, name = '' }) => ({
      key: `site ${siteId}`,
      title: name === '' ? siteId : `${name} (${siteId})`,
      detail: '',
      href: linkTo('site', siteId),
    })),
    ...hosts.map(({ siteId, hostId, status }) => ({
      key: `host ${siteId}/${hostId}`,
      title: `${siteId} / ${hostId}`,
      detail: status,
      href: linkTo('fleet', `${siteId}/${hostId}`),
    })),
  ];
}
