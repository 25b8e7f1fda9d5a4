import { afterEach, expect, vi } from 'vitest';

// The library prints nothing by itself: what it has to say it returns, throws or reports through a callback.
const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));

afterEach(() => {
  for (const spy of spies) {
    expect(spy, 'a test or the library wrote to the console').not.toHaveBeenCalled();
    spy.mockClear();
  }
});
