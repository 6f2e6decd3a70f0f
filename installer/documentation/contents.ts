/** A page of the repository: its address, and the file that it is made of when that is another one. */
interface OwnPage {
  readonly address: string;
  readonly file: string;
}

const pages = (folder: string, names: string): readonly OwnPage[] =>
  names.split(' ').map((name) => ({ address: `${folder}/${name}`, file: `docs/${folder}/${name}.md` }));

const other = (address: string, file: string): OwnPage => ({ address, file });

/** The pages that people write, by the parts of the navigation; the order is the one in which they are read. */
export const CONTENTS = {
  start: pages('start', 'first-alarm first-call own-application first-site'),
  concepts: pages('concepts', 'alarm session receiver sender unit site host revision record'),
  guides: [
    ...pages('guides', 'integrator application people technician operator'),
    other('guides/sdk-javascript', 'sdk/js/README.md'),
    other('guides/sdk-python', 'sdk/python/README.md'),
    other('guides/rehearsal', 'docs/rehearsal.md'),
    other('guides/prepare-your-network', 'docs/prepare-your-network.md'),
  ],
  recipes: [
    other('recipes/examples', 'examples/README.md'),
    ...pages(
      'recipes',
      'first-alarm alarm-desk voicemail pin-menu ai-voice-bot speech-input queue conference-whisper reminder-calls siprec-recorder scaip-to-dc09 heartbeat-dashboard site-behind-nat migration',
    ),
  ],
  about: [
    other('about/architecture', 'docs/architecture.md'),
    other('about/glossary', 'docs/glossary.md'),
    ...pages('about', 'limits benchmarks security data-protection'),
    other('about/measured', 'docs/benchmarks.md'),
    other('about/sizing', 'docs/sizing.md'),
    other('about/changelog', 'CHANGELOG.md'),
    other('about/upgrade', 'docs/upgrade-notes.md'),
    other('about/deprecation', 'sdk/README.md'),
    other('about/decisions', 'docs/decisions.md'),
  ],
  rules: [
    ...'README product foundation decisions protocols control-plane sip media provisioning-api runtime-api media-and-sites-api emergency-calls operations packaging quality'
      .split(' ')
      .map((name) => other(`rules/${name === 'README' ? 'overview' : name}`, `docs/spec/${name}.md`)),
  ],
} as const;
