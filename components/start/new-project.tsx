// `/new/<template>`: makes the project and shows it under its own address, without a question and without a second page load.
'use client';

import { useEffect, useRef, useState } from 'react';
import { createProject } from '../../lib/project/projects';
import { findTemplate } from '../../lib/project/templates';
import { BootWait } from '../ide/boot-wait';
import { showProjectAddress } from '../ide/project-address';
import { ProjectPage } from '../ide/project-page';
import { FailurePage } from '../ui/failure';

/** The template must exist. */
export function NewProject({ templateId }: { templateId: string }) {
  const [id, setId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const started = useRef(false);

  useEffect(() => {
    // React mounts twice in development; one project is enough.
    if (started.current) return;
    started.current = true;
    const template = findTemplate(templateId)!;
    const files = Object.entries(template.files).map(([path, contents]) => ({ path, contents }));
    createProject(template.title, template.id, files).then((project) => {
      showProjectAddress(project.id);
      setId(project.id);
    }, setError);
  }, [templateId]);

  if (error !== undefined)
    return (
      <FailurePage what="The project can’t be kept in this browser" error={error} retry={() => location.reload()} />
    );
  return id === undefined ? <BootWait /> : <ProjectPage projectId={id} />;
}
