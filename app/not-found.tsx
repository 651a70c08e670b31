// What is shown for an address that means nothing.
import { Mark } from '../components/ui/mark';

/** 404, with the way back. */
export default function NotFound() {
  return (
    <main className="boot">
      <div className="boot-card">
        <Mark size={32} />
        <h1>There is nothing at this address</h1>
        <p>A link may be mistyped, or older than what it led to. Your projects are where they were.</p>
        <a className="button" data-tone="primary" href="/">
          Start page
        </a>
      </div>
    </main>
  );
}
