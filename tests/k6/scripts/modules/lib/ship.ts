export interface Ship {
  name: string;
  length: number;
}

export const describe = (ship: Ship): string => `${ship.name} (${ship.length} m)`;
