/* partition_wrap_scops.h: what Polly finds out about wrapped kernels, as JSON. */
#ifndef PARTITION_WRAP_SCOPS_H
#define PARTITION_WRAP_SCOPS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes all static control parts ("scops") of the module to the file, which partition-map reads:
 *
 *     {"scops": [{"function": NAME, "assumed": SET, "invalid": SET,
 *                 "parameters": [{"name": NAME, "text": TEXT, "value": VALUE}, ...],
 *                 "arrays": [{"name": NAME, "element": TYPE, "bytes": N, "sizes": [SIZE, ...]},
 * ...], "statements": [{"domain": SET, "accesses": [{"kind": "read" or "must_write" or "may_write",
 * "relation": MAP}, ...]}, ...]}, ...]}
 *
 * SET, MAP and SIZE (a function) are isl's text. "sizes" are those of the inner dimensions, and
 * missing where the outermost one has a size as well. VALUE is what a parameter stands for:
 * {"number": N},
 * {"name": NAME, "bits": N}, {"extend": VALUE, "bits": N} or {"sum" or "product": [VALUE, ...],
 * "bits": N, "nsw": true, if it is undefined where it overflows}; null: something else, as in TEXT.
 * NULL, or why it cannot be written, to be freed. */
char *wrap_write_scops(LLVMModuleRef module, const char *path);

#ifdef __cplusplus
}
#endif

#endif
