// Why a conversation can't be kept or read, in words that say what to do about it.
import type { RunError } from '../agent/run-error';

/** Another tab has taken the conversation over, or deleted it. */
export class ElsewhereError extends Error {
  constructor(isDeleted: boolean) {
    super(
      isDeleted ? 'it was deleted.' : 'it goes on in another tab. Go there, or reload this one to bring it back here.',
    );
    this.name = 'ElsewhereError';
  }
}

/** A tab with an older version of the product keeps the database open. */
export class OlderTabError extends Error {
  constructor() {
    super('Another tab has an older version of this page open. Reload or close it, then try again.');
    this.name = 'OlderTabError';
  }
}

/** The database was made by a newer version of the product than this page is. */
export class NewerVersionError extends Error {
  constructor() {
    super('A newer version of Cloche keeps the conversations of this browser by now. Reload this page to go on.');
    this.name = 'NewerVersionError';
  }
}

/** What a failed read or write of the database means for the person. */
export function storageWords(reason: unknown): string {
  const { name, message } = reason instanceof Error ? reason : { name: '', message: String(reason) };
  switch (name) {
    case 'QuotaExceededError':
      return 'the browser has no more room for this site. Delete conversations or projects that you do not need, then try again. Until then keep this tab open: what it shows is not kept.';
    case 'InvalidStateError':
      return 'the browser has closed the database. Try again.';
    default:
      return message;
  }
}

/** Why a turn failed whose conversation could not be saved. */
export function notSaved(reason: unknown): RunError {
  const message = `This conversation could not be saved: ${storageWords(reason)}`;
  return { message, retryable: true, kind: 'bug' };
}
