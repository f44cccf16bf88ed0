/** What a URL run was started with, as the form's fields hold it. */
export interface TypedLoad {
  /** Requests per second; 0 when none was typed. */
  rate: number;
  users: number;
  /** Seconds; 0 when none was typed. */
  duration: number;
  warmUp: number;
  goals: string[];
  /** All other words, as they were typed. */
  rest: string[];
}

/** Whole seconds of `90s` or `1m30s`; `null` for any other time. */
function seconds(text: string): number | null {
  const found = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!found || !text) return null;
  const [, hours = '0', minutes = '0', rest = '0'] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

/** Takes the words that fields of the form stand for out of all words. */
export function typedLoad(words: string[]): TypedLoad {
  const load: TypedLoad = { rate: 0, users: 0, duration: 0, warmUp: 0, goals: [], rest: [] };
  const fields: Record<string, (value: string) => boolean> = {
    '--rate': (value) => {
      const found = /^([\d.]+)\/s$/.exec(value);
      load.rate = Number(found?.[1] ?? 0);
      return load.rate > 0;
    },
    '--vus': (value) => {
      load.users = Number(value);
      return load.users > 0;
    },
    '--duration': (value) => {
      load.duration = seconds(value) ?? 0;
      return load.duration > 0;
    },
    '--warmup': (value) => {
      load.warmUp = seconds(value) ?? 0;
      return load.warmUp > 0;
    },
    '--slo': (value) => load.goals.push(value) > 0,
    // The note is read from the run, where it may have been changed.
    '--note': () => true,
  };
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? '';
    const value = words[place + 1];
    if (value !== undefined && fields[word]?.(value)) place += 1;
    else load.rest.push(word);
  }
  return load;
}
