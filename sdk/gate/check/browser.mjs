// Waits in a queue as a page does, for check.py: GATE, QUEUE from the environment; prints where it led.
import { waitIn } from '../browser/waiting-room.js';

const kept = new Map();
const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) };
const seen = new Set();
const entry = await waitIn({ gate: process.env.GATE, queue: process.env.QUEUE, storage, show: ({ state }) => seen.add(state) });
console.log(JSON.stringify({ redirect: entry.redirect, seen: [...seen] }));
