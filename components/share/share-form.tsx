// What a link would carry, before it is made: every file with its size, everything that stays out and why, and how long the link gets.
'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Chosen, chooseFiles, filesToShare } from '../../lib/share/choose-files';
import { ShareError, shareLimits } from '../../lib/share/share-limits';
import { shareAddress, writeFragment } from '../../lib/share/share-link';
import { useWorkbench } from '../ide/workbench-context';
import { Failure } from '../ui/failure';
import { useStore } from '../ui/store';
import { FilesThatGo, FilesThatStay } from './share-lists';
import { ShareResult } from './share-result';
import { ZipInstead } from './zip-instead';
import './share.css';

/** The contents of the sheet. */
export function ShareForm() {
  const { sandbox, documents, project } = useWorkbench();
  const { name } = useStore(project);
  const [chosen, setChosen] = useState<Chosen>();
  const [error, setError] = useState<unknown>();
  const [insisted, setInsisted] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  /** The link, and what it is of: while another is made there is none. */
  const [made, setMade] = useState<{ of: unknown; address: string }>();
  // Stays: the list in which things are taken out must not close while that is done.
  const [wasTooLong, setWasTooLong] = useState(false);

  const read = useCallback(() => {
    setError(undefined);
    documents
      .saveAll()
      .then(() => chooseFiles(sandbox.fs, sandbox.workdir))
      .then(setChosen, setError);
  }, [documents, sandbox]);
  useEffect(read, [read]);

  const shared = useMemo(
    () => (chosen ? { name, files: filesToShare(chosen, insisted, removed) } : undefined),
    [chosen, insisted, removed, name],
  );

  useEffect(() => {
    if (!shared) return;
    let gone = false;
    writeFragment(shared).then(
      (fragment) => {
        if (gone) return;
        setError(undefined);
        const address = shareAddress(location.origin, fragment);
        setMade({ of: shared, address });
        if (address.length > shareLimits.maxLinkChars) setWasTooLong(true);
      },
      (failure) => {
        if (gone) return;
        setError(failure);
        setWasTooLong(true);
      },
    );
    return () => {
      gone = true;
    };
  }, [shared]);

  if (!chosen || !shared)
    return error === undefined ? (
      <p role="status">Reading the project…</p>
    ) : (
      <Failure
        what={error instanceof ShareError ? 'The project does not fit into a link' : 'The project can’t be read'}
        error={error}
        retry={read}
      >
        {error instanceof ShareError && <ZipInstead />}
      </Failure>
    );
  return (
    <div className="share">
      <p>
        The whole project is inside the link; nothing is uploaded. Whoever opens it gets a copy of their own, as it is
        now, and anyone who has the link can read it.
      </p>
      {error === undefined ? (
        <ShareResult
          address={made?.of === shared ? made.address : undefined}
          files={shared.files}
          maxChars={shareLimits.maxLinkChars}
        />
      ) : (
        <Failure what="This can’t be put into a link" error={error}>
          <ZipInstead />
        </Failure>
      )}
      <FilesThatGo
        files={[...chosen.files, ...chosen.secrets.filter((file) => insisted.has(file.path))]}
        removed={removed}
        setRemoved={setRemoved}
        open={wasTooLong}
      />
      <FilesThatStay leftOut={chosen.leftOut} insisted={insisted} setInsisted={setInsisted} />
    </div>
  );
}
