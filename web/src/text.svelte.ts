/** The words of one language, from the catalogue of the program. */
export type Lang = 'en' | 'ko';

const kept = localStorage.getItem('lang');
const preferred: Lang = navigator.language.startsWith('ko') ? 'ko' : 'en';

export const language = $state<{ lang: Lang; words: Record<string, string> }>({
  lang: kept === 'ko' || kept === 'en' ? kept : preferred,
  words: {},
});

/** A text by its key; the key itself until the words are there. */
export function t(key: string): string {
  return language.words[key] ?? key;
}

export async function loadTexts(): Promise<void> {
  const answer = await fetch(`/api/texts?lang=${language.lang}`);
  if (answer.ok) language.words = await answer.json();
  document.documentElement.lang = language.lang;
}

export function speak(lang: Lang): void {
  localStorage.setItem('lang', lang);
  language.lang = lang;
  void loadTexts();
}
