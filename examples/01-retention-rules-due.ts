// Which rows the retention rules no longer keep, counted for a day that is passed in. Asked on another day, the same rules
// give another answer; asked again for the same day, the same one. No clock is read.

import { cutoff, due } from 'lethe';
import { examplePlatform, LATER, say, TODAY } from './notebook.ts';

// %% Three tables, and the rules that their owners reviewed
const platform = await examplePlatform({ only: ['support.tickets', 'learning.events', 'billing.payments'] });
const { warehouse, governance } = platform;
const rules = [...governance.retention.values()].flat().toSorted((a, b) => (a.table < b.table ? -1 : 1));

// %% What each rule says
for (const { table, keep, countedFrom, onlyWhen } of rules) {
  const days = 'days' in keep ? `${keep.days} days` : 'a calendar period';
  const state = onlyWhen?.kind === 'compare' ? `, once ${onlyWhen.column} is ${onlyWhen.value.value}` : '';
  say(table, `kept ${days} from ${countedFrom}${state}`);
}

// %% What is due on two days: `due` is a plain condition on rows, and the warehouse counts the rows that meet it
for (const day of [TODAY, LATER]) {
  for (const rule of rules) {
    say(`${rule.table} on ${day}, kept from`, cutoff(rule, day));
    say(`${rule.table} on ${day}, rows due`, await warehouse.count(rule.table, due(rule, day)));
    say(`${rule.table} on ${day}, rows in the table`, await warehouse.count(rule.table));
  }
}

await platform.close();
