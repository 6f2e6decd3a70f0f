import { createRoot } from 'react-dom/client';
import './foundation/token.css';
import './foundation/style.css';
import './foundation/frame.css';
import { App } from './foundation/app.tsx';
import { begin } from './foundation/begin.ts';
import { fetchAhead } from './foundation/fetch-ahead.ts';
import { reloadAfterUpgrade, watchVersion } from './foundation/upgrade.ts';

const WALL = '/console/wall/';
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
reloadAfterUpgrade();
fetchAhead();
// A display on a wall has a token of its own, and no person.
if (location.pathname.startsWith(WALL)) {
  const { showWall } = await import('./foundation/wall.tsx');
  await showWall(createRoot(root), decodeURIComponent(location.pathname.slice(WALL.length)));
} else {
  watchVersion();
  await begin();
  createRoot(root).render(<App />);
}
