/* partition_wrap_searches.h: loops that only decide a condition, of kernels whose loads were
 * forgotten. */
#ifndef PARTITION_WRAP_SEARCHES_H
#define PARTITION_WRAP_SEARCHES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* After loop-simplify and lcssa. A loop without an effect whose way out depends on a value that was
 * forgotten goes: where it would be left, and with which values, is unknown. */
void wrap_skip_searches(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
