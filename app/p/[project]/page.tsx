// A project's address. What it is only the browser knows.

import { BootCover } from '../../../components/ide/boot-cover';
import { BootWatchScript } from '../../../components/ide/boot-watch-script';
import { EngineFrame } from '../../../components/ide/engine-frame';
import { ProjectPage } from '../../../components/ide/project-page';
import { IsolatedOnly } from '../../../components/ui/isolation-notice';

/** `/p/<project>` */
export default async function Page({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  return (
    <>
      <EngineFrame />
      <BootCover title="Your project" />
      <BootWatchScript />
      <IsolatedOnly>
        <ProjectPage projectId={project} />
      </IsolatedOnly>
    </>
  );
}
