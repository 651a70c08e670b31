// The start page: what can be begun, and what was begun. The templates are in the first HTML; the projects come from this browser.
import { FileCode2, FlaskConical, Globe, LayoutPanelTop, Server } from 'lucide-react';
import { templates } from '../../lib/project/templates';
import { KeepOffline, OfflineStatus } from '../offline/offline-status';
import { Mark } from '../ui/mark';
import { ImportTile } from './import-tile';
import { OpeningLink } from './opening-link';
import { RecentProjects } from './recent-projects';
import { StartTheme } from './start-theme';
import './start.css';

const icons: Record<string, typeof Globe> = {
  node: FileCode2,
  'http-server': Server,
  express: LayoutPanelTop,
  'web-page': Globe,
  typescript: FlaskConical,
};

/** One click on a template opens it ready to type. */
export function StartPage() {
  return (
    <div className="start">
      <header className="start-header">
        <Mark size={24} />
        <strong>Cloche</strong>
        <span className="top-gap" />
        <OfflineStatus />
        <KeepOffline />
        <StartTheme />
      </header>
      <main>
        <h1>A computer with Node in this tab</h1>
        <p className="start-lead">
          Editor, terminal, preview and an agent. Programs run in your browser, not on a server, and your projects stay
          in it.
        </p>
        <h2 id="start-new">Start something</h2>
        <ul className="templates" aria-labelledby="start-new">
          {templates.map(({ id, title, summary }) => {
            const Icon = icons[id] ?? FileCode2;
            return (
              <li key={id}>
                <OpeningLink className="template" href={`/new/${id}`}>
                  <Icon size={18} aria-hidden="true" />
                  <span>
                    <strong>{title}</strong>
                    <span>{summary}</span>
                  </span>
                </OpeningLink>
              </li>
            );
          })}
          <ImportTile />
        </ul>
        <RecentProjects />
      </main>
    </div>
  );
}
