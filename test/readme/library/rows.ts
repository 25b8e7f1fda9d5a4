import { DateDay, Int64, Table, TimestampMicrosecond, Utf8, vectorFromArray } from 'apache-arrow';
import { openIceberg } from 'lethe';
import { system } from 'lethe/system';

const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
await warehouse.create('shop.orders', {
  columns: [
    { name: 'customer_id', type: 'long' },
    { name: 'ship_to', type: 'string' },
    { name: 'ordered_on', type: 'date' },
    { name: 'paid_at', type: 'timestamptz' },
  ],
});
const rows = new Table({
  customer_id: vectorFromArray([42n, 43n], new Int64()),
  ship_to: vectorFromArray(['1 Main Street', null], new Utf8()),
  ordered_on: vectorFromArray([new Date('2026-09-30'), new Date('2026-10-01')], new DateDay()),
  paid_at: vectorFromArray([new Date('2026-10-01T09:00:00Z'), null], new TimestampMicrosecond('UTC')),
});
await warehouse.append('shop.orders', rows);
for await (const batch of warehouse.read('shop.orders', { columns: ['customer_id'] })) {
  console.log(batch.getChild('customer_id')?.toArray());
}
await warehouse.close();
