// Where notices appear; a polite live region, so that they are heard too.
'use client';

import { CircleAlert, X } from 'lucide-react';
import { useStore } from './store';
import { actOnToast, dismissToast, holdToasts, toasts } from './toasts';

/** Place once per page. */
export function ToastList() {
  const shown = useStore(toasts);
  return (
    <ul
      className="toasts"
      aria-live="polite"
      aria-label="Notices"
      onPointerEnter={() => holdToasts(true)}
      onPointerLeave={() => holdToasts(false)}
      onFocus={() => holdToasts(true)}
      onBlur={() => holdToasts(false)}
    >
      {shown.map((toast) => (
        <li key={toast.id} className="toast" data-tone={toast.tone}>
          {toast.tone === 'error' && <CircleAlert size={16} aria-label="Error" />}
          <span>{toast.text}</span>
          {toast.action && (
            <button type="button" className="button" onClick={() => actOnToast(toast)}>
              {toast.action.label}
            </button>
          )}
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismissToast(toast)}>
            <X size={16} />
          </button>
        </li>
      ))}
    </ul>
  );
}
