/** A type whose members, and theirs, cannot be assigned to. */
export type ReadonlyTree<T> = T extends object
  ? { readonly [Key in keyof T]: ReadonlyTree<T[Key]> }
  : T;
