export const label = (text: string): string => `label-${text}`;
