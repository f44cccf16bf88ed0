/** The words of one language, from the catalogue of the program. */
import type { GlossaryEntry } from './types';

export type Lang = 'en' | 'ko';

const kept = localStorage.getItem('lang');
const preferred: Lang = navigator.language.startsWith('ko') ? 'ko' : 'en';

export const language = $state<{ lang: Lang; words: Record<string, string>; glossary: GlossaryEntry[] }>({
  lang: kept === 'ko' || kept === 'en' ? kept : preferred,
  words: {},
  glossary: [],
});

/** A text by its key; the key itself until the words are there. */
export function t(key: string): string {
  return language.words[key] ?? key;
}

export async function loadTexts(): Promise<void> {
  const [texts, glossary] = await Promise.all(['texts', 'glossary'].map((name) => fetch(`/api/${name}?lang=${language.lang}`)));
  if (texts?.ok) language.words = await texts.json();
  if (glossary?.ok) language.glossary = await glossary.json();
  document.documentElement.lang = language.lang;
}

export function speak(lang: Lang): void {
  localStorage.setItem('lang', lang);
  language.lang = lang;
  void loadTexts();
}
