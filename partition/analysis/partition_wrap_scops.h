/* partition_wrap_scops.h: what Polly finds out about wrapped kernels, as JSON. */
#ifndef PARTITION_WRAP_SCOPS_H
#define PARTITION_WRAP_SCOPS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes all static control parts ("scops") of the module to the file, for partition-map:
 *
 *     {"scops": [{"function": NAME, "exit": BLOCK, "assumed": SET, "invalid": SET,
 *                 "parameters": [{"name": NAME, "text": TEXT, "value": VALUE}],
 *                 "arrays": [{"name": NAME, "element": TYPE, "bytes": N, "sizes": [SIZE]}],
 *                 "statements": [{"domain": SET,
 *                                 "accesses": [{"kind": KIND, "relation": MAP}]}]}]}
 *
 * SET, MAP and SIZE (a function) are isl's text. "sizes" are those of the inner dimensions, and
 * missing where the outermost one has a size as well. KIND: read, must_write, may_write.
 * BLOCK is the first one behind the part.
 * VALUE is what a parameter stands for: {"number": N}, {"name": NAME}, {"extend": VALUE},
 * {"sum": [VALUE]} or {"product": [VALUE]}, with its "bits", and "nsw": true if it is undefined
 * where it overflows; null: something else, as in TEXT.
 * NULL, or why the file cannot be written, to be freed. */
char *wrap_write_scops(LLVMModuleRef module, const char *path);

#ifdef __cplusplus
}
#endif

#endif
