// TypeScript: types, enums, namespaces, generics, parameter properties.
import http, { Response } from 'k6/http';
import { check } from 'k6';
import { Options } from 'k6/options';
import { Ship, describe } from './lib/ship.ts';

export const options: Options = { iterations: 2 };

enum Colour {
  Red = 1,
  Green,
  Blue = 'blue',
}

namespace Geometry {
  export const area = (a: number, b: number): number => a * b;
}

class Box<T> {
  constructor(private readonly value: T, public label?: string) {}
  get(): T {
    return this.value;
  }
}

const ship: Ship = { name: 'Ida', length: 42 };

export default function (): void {
  const res: Response = http.get(`${__ENV.BASE}/get`);
  check(res, { up: (r) => r.status === 200 });
  console.log(Colour.Red, Colour.Green, Colour.Blue, Colour[2], Geometry.area(2, 3), new Box<string>('in', 'l').get(), describe(ship));
  const size = ship.length as unknown as number;
  console.log(size!, (<any>ship).name, typeof (ship satisfies Ship));
}
