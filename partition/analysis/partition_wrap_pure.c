/* partition_wrap_pure.c: functions that neither read nor write memory. LLVM 14 and 15 call them
 * readnone; later versions have a set of what a function may do to memory, which is empty then. */
#include <string.h>

#include "partition_wrap.h"

enum { NO_MEMORY = 0 };

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name)); /* 0: this version has none */
}

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned kind)
{
    return kind ? LLVMGetEnumAttributeAtIndex(function,
                                              (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind)
                : NULL;
}

bool wrap_is_pure(LLVMValueRef function)
{
    LLVMAttributeRef memory = attribute(function, kind_of("memory"));
    if (memory)
        return LLVMGetEnumAttributeValue(memory) == NO_MEMORY;
    return attribute(function, kind_of("readnone")) != NULL;
}

void wrap_make_pure(LLVMContextRef context, LLVMValueRef function)
{
    unsigned memory = kind_of("memory");
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, memory ? memory : kind_of("readnone"), NO_MEMORY));
}
