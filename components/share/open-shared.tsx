// Opening a shared link: its project becomes a new one of this browser, under its own address. Nothing of it runs until the person runs it.
'use client';

import { useEffect, useRef, useState } from 'react';
import { createProject } from '../../lib/project/projects';
import { readFragment } from '../../lib/share/share-link';
import { BootWait } from '../ide/boot-wait';
import { showProjectAddress } from '../ide/project-address';
import { ProjectPage } from '../ide/project-page';
import { FailurePage } from '../ui/failure';

/** Reads the fragment of this page's address. */
export function OpenShared() {
  const [id, setId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const started = useRef(false);

  useEffect(() => {
    // React mounts twice in development; one project is enough.
    if (started.current) return;
    started.current = true;
    const open = async () => {
      const { name, files } = await readFragment(location.hash);
      const project = await createProject(name, 'shared', files);
      showProjectAddress(project.id);
      setId(project.id);
    };
    open().catch(setError);
    // Another link pasted over this one changes only the fragment, which loads nothing by itself.
    const onHash = () => location.reload();
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);

  if (error !== undefined) return <FailurePage what="This link can’t be opened" error={error} />;
  return id === undefined ? <BootWait /> : <ProjectPage projectId={id} />;
}
