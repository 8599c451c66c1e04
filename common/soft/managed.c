/* managed.c: where each unit of managed memory resides, and what moving it costs.
 *
 * Host and kernels share one address space, so residency is played with page protection. Before a
 * kernel runs on a device, units that do not reside there are made untouchable, so that the
 * kernel's access faults; when the host has waited for the kernel, units that reside on a device
 * alone are. A fault migrates the unit: it is counted and accounted and becomes touchable; its
 * bytes stay where they are.
 *
 * residency_lock is a spin lock because the fault handler takes it: nothing under it may fault on
 * managed memory, allocate or wait. */
#include "managed.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_flag residency_lock = ATOMIC_FLAG_INIT;
static unsigned running;       /* bit per device that executes a kernel */
static _Atomic unsigned shown; /* the devices for which pages are protected; 0: for the host */
static unsigned kernels;       /* started so far */
static bool touched_up;        /* some units are not protected as `shown` says */
static struct soft_managed_counters counters;

static struct {
    size_t allocated_bytes; /* cudaMalloc */
    size_t resident_bytes;  /* managed units */
    struct unit *oldest, *newest;
} usage[MAX_DEVICES];

void residency_acquire(void)
{
    while (atomic_flag_test_and_set_explicit(&residency_lock, memory_order_acquire))
        sched_yield();
}

void residency_release(void)
{
    atomic_flag_clear_explicit(&residency_lock, memory_order_release);
}

/* ---- protection ---- */

static size_t index_of(const struct unit *unit)
{
    return (size_t)(unit - unit->region->units);
}

static size_t bytes_of(const struct unit *unit)
{
    size_t left = unit->region->bytes - index_of(unit) * UNIT_BYTES;

    return left < UNIT_BYTES ? left : UNIT_BYTES;
}

/* What the unit's protection should be now. */
static int wanted_protection(const struct unit *unit)
{
    const int all = PROT_READ | PROT_WRITE;
    int one_or_two_copies = unit->on_host && unit->device >= 0 ? PROT_READ : all;

    if (unit->open_count > 0 || unit->forced)
        return all;
    if (!shown)
        return unit->on_host || unit->device < 0 ? one_or_two_copies : PROT_NONE;
    if ((unit->accessed_by | unit->mapped_by) & shown)
        return one_or_two_copies;
    return unit->device >= 0 && (shown & 1u << unit->device) ? one_or_two_copies : PROT_NONE;
}

static void change_protection(char *start, size_t bytes, int protection)
{
    static const char message[] = "soft GPU: managed memory: mprotect failed; "
                                  "a larger vm.max_map_count may help\n";

    if (mprotect(start, bytes, protection) == 0)
        return;
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        abort();
    abort();
}

void residency_protect(struct managed_region *region, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        struct unit *unit = &region->units[i];
        int wanted = wanted_protection(unit);
        size_t bytes = 0;

        for (; i < end; i++) { /* neighbours that need the same change share the system call */
            struct unit *next = &region->units[i];
            if (next->protection == wanted || wanted_protection(next) != wanted)
                break;
            next->protection = wanted;
            next->version++;
            bytes += bytes_of(next);
        }
        if (bytes > 0) {
            change_protection(region->base + index_of(unit) * UNIT_BYTES, bytes, wanted);
            i--;
        }
    }
}

static void protect_unit(struct unit *unit)
{
    residency_protect(unit->region, index_of(unit), index_of(unit) + 1);
}

/* ---- residency ---- */

static void leave_device(struct unit *unit)
{
    if (unit->device < 0)
        return;
    *(unit->older ? &unit->older->newer : &usage[unit->device].oldest) = unit->newer;
    *(unit->newer ? &unit->newer->older : &usage[unit->device].newest) = unit->older;
    usage[unit->device].resident_bytes -= bytes_of(unit);
    unit->device = -1;
}

static void enter_device(struct unit *unit, int device)
{
    unit->device = device;
    unit->newer = NULL;
    unit->older = usage[device].newest;
    *(unit->older ? &unit->older->newer : &usage[device].oldest) = unit;
    usage[device].newest = unit;
    usage[device].resident_bytes += bytes_of(unit);
}

/* Moves the units that came to the device longest ago to the host until `bytes` fit. */
static bool evict_for(int device, size_t bytes)
{
    size_t limit = soft_devices[device].memory_bytes;

    while (usage[device].allocated_bytes + usage[device].resident_bytes + bytes > limit) {
        struct unit *victim = usage[device].oldest;
        if (!victim)
            return false;
        counters.evictions++;
        if (!victim->on_host)
            counters.bytes_to_host += bytes_of(victim);
        leave_device(victim);
        victim->on_host = true;
        victim->evicted_in = running ? kernels : 0;
        protect_unit(victim);
    }
    return true;
}

bool residency_to_device(struct unit *unit, int device)
{
    bool has_data = unit->on_host || unit->device >= 0;
    bool keep_host_copy = unit->on_host && unit->read_mostly;

    if (unit->device == device)
        return true;
    if (!evict_for(device, bytes_of(unit)))
        return false;
    if (has_data)
        counters.bytes_to_gpu += bytes_of(unit);
    leave_device(unit);
    unit->on_host = keep_host_copy;
    enter_device(unit, device);
    return true;
}

void residency_to_host(struct unit *unit)
{
    if (!unit->on_host && unit->device >= 0)
        counters.bytes_to_host += bytes_of(unit);
    if (!unit->read_mostly)
        leave_device(unit);
    unit->on_host = true;
}

void residency_discard(struct unit *unit)
{
    leave_device(unit);
    unit->on_host = false;
}

void residency_keep_one(struct unit *unit, bool keep_device)
{
    if (!unit->on_host || unit->device < 0)
        return;
    if (keep_device)
        unit->on_host = false;
    else
        leave_device(unit);
}

/* Units that nobody has touched reside nowhere; those that the host touched since show in the page
 * table. */
void residency_settle(struct managed_region *region, size_t first, size_t end)
{
    unsigned char resident[UNIT_BYTES / PAGE_BYTES];

    for (size_t i = first; i < end; i++) {
        struct unit *unit = &region->units[i];
        if (unit->on_host || unit->device >= 0)
            continue;
        bool touched = mincore(region->base + i * UNIT_BYTES, bytes_of(unit), resident) != 0;
        for (size_t page = 0; page < whole_pages(bytes_of(unit)) / PAGE_BYTES && !touched; page++)
            touched = resident[page] & 1;
        unit->on_host = touched;
    }
}

/* ---- faults ---- */

/* The device whose kernel faulted. With kernels on several devices the fault does not tell which;
 * then the preferred location if it is among them, else the first. */
static int faulting_device(const struct unit *unit)
{
    if (unit->preferred >= 0 && (running & 1u << unit->preferred))
        return unit->preferred;
    return __builtin_ctz(running);
}

/* Opens the unit for somebody for whom it is not shown. */
static void force(struct unit *unit)
{
    unit->forced = touched_up = true;
}

static void device_fault(struct unit *unit)
{
    int device = faulting_device(unit);
    bool at_home = unit->preferred == cudaCpuDeviceId
                       ? unit->device < 0
                       : unit->preferred >= 0 && unit->device == unit->preferred;

    counters.gpu_faults++;
    if (at_home && unit->device != device) {
        unit->mapped_by |= 1u << device; /* stays where it should be and is accessed over the bus */
        unit->on_host = unit->on_host || unit->device < 0;
    } else if (unit->evicted_in == kernels || !residency_to_device(unit, device)) {
        unit->on_host = true; /* no room, or it would go to and fro: the same, for this kernel */
        force(unit);
    }
}

/* While a kernel runs, host units are shut to catch the kernel; the host's own access opens them.
 */
static void host_fault(struct unit *unit)
{
    if (!unit->on_host && unit->device >= 0)
        counters.cpu_faults++;
    residency_to_host(unit);
    if (shown)
        force(unit);
}

static void write_fault(struct unit *unit, bool by_device)
{
    if (by_device)
        counters.gpu_faults++;
    else
        counters.cpu_faults++;
    residency_keep_one(unit, by_device);
    if (shown && !by_device)
        force(unit);
}

bool soft_managed_fault(void *address, bool from_kernel)
{
    /* Protection does not tell reads from writes. A thread that comes back for a unit that it may
     * read, with nothing changed since it saw that, wants to write. */
    static _Thread_local struct unit *seen;
    static _Thread_local unsigned seen_version;

    residency_acquire();
    struct unit *unit = region_unit(address);
    if (unit) {
        bool by_device = from_kernel && running;
        if (unit->protection == PROT_NONE && by_device)
            device_fault(unit);
        else if (unit->protection == PROT_NONE)
            host_fault(unit);
        else if (unit->protection == PROT_READ && seen == unit && seen_version == unit->version)
            write_fault(unit, by_device);
        protect_unit(unit);
        seen = unit;
        seen_version = unit->version;
    }
    residency_release();
    return unit != NULL;
}

/* ---- kernels ---- */

static void show_to(unsigned devices)
{
    for (size_t i = 0; i < region_count; i++) {
        struct managed_region *region = regions[i];
        residency_settle(region, 0, region->count);
        for (size_t u = 0; u < region->count; u++)
            region->units[u].forced = false;
    }
    shown = devices;
    touched_up = false;
    for (size_t i = 0; i < region_count; i++)
        residency_protect(regions[i], 0, regions[i]->count);
}

/* Kernels that follow each other on a device find the pages protected already: they are shown to
 * the host again only when somebody has waited (managed_show_host). A host thread that does not
 * wait gets what it touches through a fault. */
void managed_kernel_begin(struct device *device)
{
    residency_acquire();
    running |= 1u << device->index;
    kernels++;
    if (region_count > 0 && (shown != running || touched_up))
        show_to(running);
    residency_release();
}

void managed_kernel_end(struct device *device)
{
    residency_acquire();
    running &= ~(1u << device->index);
    if (region_count > 0 && running)
        show_to(running);
    residency_release();
}

void managed_show_host(void)
{
    if (!shown)
        return;
    residency_acquire();
    if (!running)
        show_to(0);
    residency_release();
}

/* A new region is open to all. */
void residency_new_region(void)
{
    touched_up = true;
}

/* ---- accounts ---- */

/* Memory of cudaMalloc pushes managed units out. */
bool device_memory_reserve(struct device *device, size_t bytes)
{
    residency_acquire();
    bool fits = usage[device->index].allocated_bytes + bytes <= device->memory_bytes &&
                evict_for(device->index, bytes);
    if (fits)
        usage[device->index].allocated_bytes += bytes;
    residency_release();
    return fits;
}

void device_memory_unreserve(struct device *device, size_t bytes)
{
    residency_acquire();
    usage[device->index].allocated_bytes -= bytes;
    residency_release();
}

size_t device_memory_free(struct device *device)
{
    residency_acquire();
    size_t used = usage[device->index].allocated_bytes + usage[device->index].resident_bytes;
    residency_release();
    return device->memory_bytes - used;
}

void residency_forget(struct managed_region *region)
{
    for (size_t i = 0; i < region->count; i++)
        leave_device(&region->units[i]);
}

void soft_managed_counters(struct soft_managed_counters *result)
{
    residency_acquire();
    *result = counters;
    residency_release();
}
