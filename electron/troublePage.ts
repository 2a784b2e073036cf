/** What the window shows while the service does not run: why, and when it is tried again. */

/** @param why the service's last words, as it wrote them. @param wait until the next start, milliseconds */
export function troublePage(why: string, wait: number): string {
  const seconds = Math.ceil(wait / 1_000);
  const words = why === '' ? 'It said nothing.' : why;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Vouch</title><style>body{font:15px system-ui;margin:48px auto;max-width:720px;padding:0 24px}
pre{white-space:pre-wrap;background:#eef1f4;color:#17212b;padding:16px;border-radius:8px}</style>
<h1 style="font-size:20px">The service does not start</h1>
<p>Vouch tries again in ${seconds} s, and this page gives way to the dashboard when it runs. What was accepted is safe.</p>
<pre role="alert">${escaped(words)}</pre>
<p>The log says more: the folder <code>logs</code> of the installation. <code>vouch doctor</code> says what to do.</p></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(page)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
