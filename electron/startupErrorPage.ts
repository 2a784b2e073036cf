/** The page of the window while the service does not run: the reason, and the time of the next start. */

/** @param why last output of the service. @param wait until the next start, milliseconds */
export function startupErrorPage(why: string, wait: number): string {
  const seconds = Math.ceil(wait / 1_000);
  const words = why === '' ? 'The service ended without a message.' : why;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Vouch</title><style>body{font:15px system-ui;margin:48px auto;max-width:720px;padding:0 24px}
pre{white-space:pre-wrap;background:#eef1f4;color:#17212b;padding:16px;border-radius:8px}</style>
<h1 style="font-size:20px">The Vouch service does not start</h1>
<p>Vouch tries again in ${seconds} s and opens the dashboard as soon as the service runs. Accepted photos are safe.</p>
<pre role="alert">${escaped(words)}</pre>
<p>The log in the folder <code>logs</code> of the data directory has the details. <code>vouch doctor</code> shows how to fix the problem.</p></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(page)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
