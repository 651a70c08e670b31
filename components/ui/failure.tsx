// How an error looks in place: the thing, the fact, the next step, and its details to copy. And the boundary that keeps it to one panel.
'use client';

import { Component, type ReactNode, useState } from 'react';

interface FailureProps {
  what: string;
  error: unknown;
  retry?: () => void;
  children?: ReactNode;
}

/** The error card. `children` are further actions. */
export function Failure({ what, error, retry, children }: FailureProps) {
  const [copied, setCopied] = useState(false);
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof Error ? (error.stack ?? message) : message;
  const copy = () =>
    void navigator.clipboard.writeText(`${what}\n${details}\n${navigator.userAgent}`).then(() => setCopied(true));
  return (
    <div className="failure" role="alert">
      <strong>{what}</strong>
      <pre>{message}</pre>
      <div className="row">
        {retry && (
          <button type="button" className="button" data-tone="primary" onClick={retry}>
            Try again
          </button>
        )}
        {children}
        <button type="button" className="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy details'}
        </button>
      </div>
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
        retry={() => this.setState({ error: undefined })}
      />
    );
  }
}
