import { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';

/** A document whose id is a string of ours. */
export interface Keyed {
  _id: string;
}

/** The fields of a collection; `_id` is ours and a string, unknown fields are refused. */
export function collection<T extends Keyed>(
  connection: Connection,
  name: string,
  fields: Record<string, unknown>,
  indexes: [IndexDefinition, IndexOptions?][] = [],
): Model<T> {
  const schema = new Schema<T>({ _id: { type: String, required: true }, ...fields } as never, {
    collection: name,
    versionKey: false,
    strict: 'throw',
    minimize: false,
    // An operation fails at once while the database is away, instead of waiting in memory.
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
  });
  for (const [keys, options] of indexes) schema.index(keys, options);
  return connection.model<T>(name, schema) as unknown as Model<T>;
}
