import { createRoot } from 'react-dom/client';
import './foundation/token.css';
import './foundation/style.css';
import './foundation/frame.css';
import { App } from './foundation/app.tsx';
import { begin } from './foundation/begin.ts';
import { reloadAfterUpgrade } from './foundation/upgrade.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
reloadAfterUpgrade();
await begin();
createRoot(root).render(<App />);
