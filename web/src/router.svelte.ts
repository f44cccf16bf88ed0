/** Which page is shown: the path of the address. */
export const place = $state({ path: location.pathname, query: new URLSearchParams(location.search) });

function look(): void {
  place.path = location.pathname;
  place.query = new URLSearchParams(location.search);
}

addEventListener('popstate', look);

export function go(to: string): void {
  history.pushState(null, '', to);
  look();
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('main')?.focus();
}

/** Links within the pages do not load the page anew. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  // A place on the page that is shown: the browser goes there.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
