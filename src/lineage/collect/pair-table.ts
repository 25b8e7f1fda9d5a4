import { grown } from '../grown.ts';

/**
 * Numbers pairs of numbers in the order in which they are first seen. Firsts count from 0 without gaps, and one after another
 * is asked about: each has a small open hash table of its own, all in one array of numbers. A map for each would hold the same
 * in many times the memory, which the collector of garbage would walk; one table for all would miss the processor's cache.
 */
export class PairTable {
  /** By the number of a pair. */
  #first = new Int32Array(1024);
  #second = new Int32Array(1024);
  #size = 0;
  /** Two places a slot: the second of the pair, and its number and one; 0 where the slot is free. */
  #slots = new Int32Array(4096);
  #used = 0;
  /** By first: where its slots begin, how many they are (a power of two), and how many are taken. */
  #begins = new Int32Array(256);
  #counts = new Int32Array(256);
  #taken = new Int32Array(256);
  /** Beginnings of slots that were outgrown, by their count. */
  readonly #free = new Map<number, number[]>();

  get size(): number {
    return this.#size;
  }

  /** The first of each pair, by its number. A view: it ends where pairs end now. */
  get firsts(): Int32Array {
    return this.#first.subarray(0, this.#size);
  }

  /** The second of each pair, by its number. */
  get seconds(): Int32Array {
    return this.#second.subarray(0, this.#size);
  }

  /** The number of a pair that was given one. */
  find(first: number, second: number): number | undefined {
    if (first >= this.#begins.length || this.#counts[first] === 0) return undefined;
    const begin = this.#begins[first]!;
    const mask = this.#counts[first]! - 1;
    for (let slot = second & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[begin + 2 * slot + 1]!;
      if (number === 0) return undefined;
      if (this.#slots[begin + 2 * slot] === second) return number - 1;
    }
  }

  /** The number of a pair, given where it is new. */
  number(first: number, second: number): number {
    if (first >= this.#begins.length || this.#counts[first] === 0) this.#open(first);
    const slots = this.#slots;
    const begin = this.#begins[first]!;
    const mask = this.#counts[first]! - 1;
    // Names that are used together have numbers side by side, and so have their slots.
    let slot = second & mask;
    for (let at = begin + 2 * slot; slots[at + 1] !== 0; at = begin + 2 * slot) {
      if (slots[at] === second) return slots[at + 1]! - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(first, second, begin + 2 * slot);
  }

  #add(first: number, second: number, at: number): number {
    if (this.#size === this.#first.length) {
      this.#first = grown(this.#first);
      this.#second = grown(this.#second);
    }
    const number = this.#size++;
    this.#first[number] = first;
    this.#second[number] = second;
    this.#slots[at] = second;
    this.#slots[at + 1] = number + 1;
    this.#taken[first]! += 1;
    if (this.#taken[first]! * 4 > this.#counts[first]! * 3) this.#widen(first);
    return number;
  }

  #open(first: number): void {
    while (first >= this.#begins.length) {
      this.#begins = grown(this.#begins);
      this.#counts = grown(this.#counts);
      this.#taken = grown(this.#taken);
    }
    this.#counts[first] = 8;
    this.#begins[first] = this.#place(8);
  }

  /** Moves the slots of a first to a place of twice their count. */
  #widen(first: number): void {
    const [from, count] = [this.#begins[first]!, this.#counts[first]!];
    const begin = this.#place(count * 2);
    const slots = this.#slots;
    const mask = count * 2 - 1;
    for (let at = from; at < from + 2 * count; at += 2) {
      if (slots[at + 1] === 0) continue;
      let slot = slots[at]! & mask;
      while (slots[begin + 2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[begin + 2 * slot] = slots[at]!;
      slots[begin + 2 * slot + 1] = slots[at + 1]!;
    }
    slots.fill(0, from, from + 2 * count);
    const free = this.#free.get(count);
    if (free === undefined) this.#free.set(count, [from]);
    else free.push(from);
    this.#begins[first] = begin;
    this.#counts[first] = count * 2;
  }

  /** The beginning of as many free slots. */
  #place(count: number): number {
    const free = this.#free.get(count)?.pop();
    if (free !== undefined) return free;
    const begin = this.#used;
    this.#used += 2 * count;
    while (this.#used > this.#slots.length) this.#slots = grown(this.#slots);
    return begin;
  }
}
