// How an error looks in place: the thing, the fact, the next step, and its details to copy. And the boundary that keeps it to one panel.
'use client';

import { Component, type ReactNode, useState } from 'react';
import { Mark } from './mark';
import { isMissingCode, messageOf } from './toasts';

interface FailureProps {
  what: string;
  error: unknown;
  retry?: () => void;
  children?: ReactNode;
  /** `warning`: nothing is broken, somebody has to decide. */
  tone?: 'error' | 'warning';
}

/** The error card. `children` are further actions. */
export function Failure({ what, error, retry, children, tone = 'error' }: FailureProps) {
  return (
    <div className="failure" data-tone={tone} role="alert">
      <strong>{what}</strong>
      <pre>{messageOf(error)}</pre>
      <FailureActions what={what} error={error} retry={retry}>
        {children}
      </FailureActions>
    </div>
  );
}

/** The same as the whole page: there is nothing beside it, so it looks like a page and leads to all projects. `hint` is what to do, in a sentence. */
export function FailurePage({ what, error, retry, children, hint }: FailureProps & { hint?: string }) {
  return (
    <main className="boot">
      <div className="boot-card" role="alert">
        <Mark size={32} />
        <h1>{what}</h1>
        <p className="boot-reason">{messageOf(error)}</p>
        {hint && <p>{hint}</p>}
        <FailureActions what={what} error={error} retry={retry}>
          {children}
          <a className="button" data-tone={retry || children ? undefined : 'primary'} href="/">
            All projects
          </a>
        </FailureActions>
      </div>
    </main>
  );
}

function FailureActions({ what, error, retry, children }: FailureProps) {
  const [copied, setCopied] = useState(false);
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const copy = () =>
    void navigator.clipboard.writeText(`${what}\n${details}\n${navigator.userAgent}`).then(() => setCopied(true));
  return (
    <div className="row">
      {retry && (
        <button type="button" className="button" data-tone="primary" onClick={retry}>
          {isMissingCode(error) ? 'Reload the page' : 'Try again'}
        </button>
      )}
      {children}
      <button type="button" className="button" data-tone="quiet" onClick={copy}>
        {copied ? 'Copied' : 'Copy details'}
      </button>
    </div>
  );
}

/** Keeps a broken panel from taking the others with it. *Try again* mounts the children anew. */
export class PanelBoundary extends Component<{ name: string; children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Failure
        what={`${this.props.name} stopped working`}
        error={this.state.error}
        retry={isMissingCode(this.state.error) ? () => location.reload() : () => this.setState({ error: undefined })}
      />
    );
  }
}
