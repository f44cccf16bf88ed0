/** Light or dark: the reader's system, unless chosen here. */
const system = matchMedia('(prefers-color-scheme: dark)');
const kept = localStorage.getItem('theme');

export const theme = $state({ dark: kept ? kept === 'dark' : system.matches });

function apply(): void {
  document.documentElement.dataset.theme = theme.dark ? 'dark' : 'light';
}
apply();

system.addEventListener('change', () => {
  if (localStorage.getItem('theme')) return;
  theme.dark = system.matches;
  apply();
});

export function toggle(): void {
  theme.dark = !theme.dark;
  localStorage.setItem('theme', theme.dark ? 'dark' : 'light');
  apply();
}
