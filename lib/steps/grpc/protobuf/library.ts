import type protobuf from "protobufjs";

/** The part of `protobufjs/ext/protojson.js` that is used. */
interface ProtoJson {
  /** @throws {Error} naming the field that does not fit */
  fromJson(type: protobuf.Type, json: unknown): protobuf.Message;
  toJson(type: protobuf.Type, message: object): unknown;
}

/** The library that knows protobuf. */
export interface Library {
  readonly protobuf: typeof protobuf;
  readonly protojson: ProtoJson;
}

/** Loads the library when a flow first needs it: loading takes some 40 ms. */
export async function loadLibrary(): Promise<Library> {
  const [{ default: library }, { default: protojson }] = await Promise.all([
    import("protobufjs"),
    import("protobufjs/ext/protojson.js"),
  ]);
  rememberFieldIds(library);
  return { protobuf: library, protojson: protojson as unknown as ProtoJson };
}

/** All that is declared in a space, outer before inner, fields and methods as well. */
export function* declaredIn(
  space: protobuf.NamespaceBase,
  library: Library,
): Generator<protobuf.ReflectionObject> {
  const { Namespace, Service, Type } = library.protobuf;
  for (const each of space.nestedArray) {
    yield each;
    if (each instanceof Type) yield* each.fieldsArray;
    if (each instanceof Service) yield* each.methodsArray;
    if (each instanceof Namespace) yield* declaredIn(each, library);
  }
}

/** A message type as the library has it inside. */
interface FieldIds {
  /** Fields by number; null when they have to be collected anew. */
  _fieldsById: Record<number, protobuf.ReflectionObject> | null;
  fieldsById: Record<number, protobuf.ReflectionObject>;
}

let remembers = false;

/**
 * The library forgets the numbers of a message's fields with each field it adds,
 * and collects them anew for the next: a message of 15,000 fields took 15 s.
 */
function rememberFieldIds({ Field, Type }: typeof protobuf): void {
  if (remembers) return;
  remembers = true;
  const { add } = Type.prototype;
  Type.prototype.add = function (this: protobuf.Type, object) {
    const type = this as unknown as FieldIds;
    const known = type._fieldsById ?? type.fieldsById;
    add.call(this, object);
    if (object instanceof Field && this.fields[object.name] === object) {
      known[object.id] = object;
    }
    type._fieldsById = known;
    return this;
  };
}
