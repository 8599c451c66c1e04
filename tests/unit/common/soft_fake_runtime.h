// soft_fake_runtime.h: stands in for the runtime half of the software GPU, so that the executor is
// tested by itself: launches run at once, their outcome is kept, and one page is "managed".
#ifndef SOFT_FAKE_RUNTIME_H
#define SOFT_FAKE_RUNTIME_H

#include <cooperative_groups.h>
#include <sys/mman.h>

#include "softgpu/device.h"
#include "softgpu/launch.h"

static thread_local soft_outcome outcome; // of this thread's last launch

extern "C" int soft_launch(const soft_kernel *kernel, void *)
{
    outcome = soft_execute(kernel);
    kernel->release(kernel->arguments);
    return outcome;
}

enum { PAGE_BYTES = 4096 };
static char *managed_page; // becomes accessible when it is touched
static int managed_faults;

extern "C" bool soft_managed_fault(void *address, bool)
{
    char *at = static_cast<char *>(address);
    if (!managed_page || at < managed_page || at >= managed_page + PAGE_BYTES)
        return false;
    managed_faults++;
    return mprotect(managed_page, PAGE_BYTES, PROT_READ | PROT_WRITE) == 0;
}

#endif
