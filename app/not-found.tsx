// What is shown for an address that means nothing.

/** 404, with the way back. */
export default function NotFound() {
  return (
    <main className="empty" style={{ minHeight: '100dvh' }}>
      <h1>There is nothing at this address</h1>
      <a className="button" data-tone="primary" href="/">
        Start page
      </a>
    </main>
  );
}
