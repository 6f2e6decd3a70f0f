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
import { type Goal, isTrace, numberGoals, readTrace, useActions } from './palette-goal.ts';

interface Found {
  readonly devices: readonly Goal[];
  readonly places: readonly Goal[];
  /** The sessions of a trace. */
  readonly records: readonly Goal[];
  /** False: an answer about these words is awaited. */
  readonly isSearched: boolean;
}

/** A person types faster than that. */
const PAUSE_MS = 250;
const MOST = 8;

/** Ctrl-K: pages, actions, devices, numbers, traces, sites and hosts by what a person remembers of them. */
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
  const actions = useActions().filter(({ title }) => words !== '' && holds(title, words));
  const parts = [
    { title: t`Alarms and calls`, goals: [...found.records, ...numberGoals(words.trim(), t)] },
    { title: t`Pages`, goals: pages.slice(0, MOST) },
    { title: t`Actions`, goals: actions },
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
            <SearchField
              aria-label={t`Find a page, an action, a device, a number, a trace, a site or a host`}
              autoFocus
            >
              <Input placeholder={t`Page, action, device, number, trace ID, site or host`} />
            </SearchField>
            <Menu
              className="palette-list"
              onAction={close}
              renderEmptyState={() => (
                <p className="dim">
                  {found.isSearched ? <Trans>Nothing has this name.</Trans> : <Trans>One moment…</Trans>}
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
function useFound(words: string): Found {
  const [records, setRecords] = useState<readonly Goal[]>([]);
  const [devices, setDevices] = useState<readonly Goal[]>([]);
  const [places, setPlaces] = useState<readonly Goal[]>([]);
  const [answered, setAnswered] = useState('');
  useEffect(() => {
    void readPlaces().then(setPlaces);
  }, []);
  useEffect(() => {
    setRecords([]);
    if (words === '') return setDevices([]);
    let over = false;
    const timer = setTimeout(() => {
      const asked = [readDevices(words), isTrace(words) ? readTrace(words.toLowerCase()) : []] as const;
      void Promise.all(asked).then(([ofDevices, ofTrace]) => {
        if (over) return;
        setDevices(ofDevices);
        setRecords(ofTrace);
        setAnswered(words);
      });
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [words]);
  return { devices, places, records, isSearched: words === '' || answered === words };
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
    href: linkTo('device', deviceId),
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
      href: linkTo('host', `${siteId}/${hostId}`),
    })),
  ];
}
