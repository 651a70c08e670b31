// A template's address: opens a new project of it.
import { notFound } from 'next/navigation';
import { BootCover } from '../../../components/ide/boot-cover';
import { BootWatchScript } from '../../../components/ide/boot-watch-script';
import { EngineFrame } from '../../../components/ide/engine-frame';
import { NewProject } from '../../../components/start/new-project';
import { IsolatedOnly } from '../../../components/ui/isolation-notice';
import { findTemplate } from '../../../lib/project/templates';

/** `/new/<template>`; an unknown template is a 404. */
export default async function Page({ params }: { params: Promise<{ template: string }> }) {
  const { template } = await params;
  const found = findTemplate(template);
  if (found === undefined) notFound();
  return (
    <>
      <EngineFrame />
      <BootCover title={found.title} />
      <BootWatchScript />
      <IsolatedOnly>
        <NewProject templateId={template} />
      </IsolatedOnly>
    </>
  );
}
