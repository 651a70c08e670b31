// A preview in a browser tab of its own.
import { notFound } from 'next/navigation';
import { PreviewPage } from '../../../../../components/preview/preview-page';

interface PageProps {
  params: Promise<{ project: string; port: string }>;
}

/** `/p/<project>/preview/<port>?path=/…` */
export default async function Page({ params }: PageProps) {
  const { project, port } = await params;
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) notFound();
  return <PreviewPage projectId={project} />;
}
