// A project's address. What it is only the browser knows.
import { ProjectPage } from '../../../components/ide/project-page';

/** `/p/<project>` */
export default async function Page({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  return <ProjectPage projectId={project} />;
}
