/* device_warp.h: shuffles and votes (part of device.h). */
#ifndef SOFT_DEVICE_WARP_H
#define SOFT_DEVICE_WARP_H

/* The lane of the current CUDA thread in its warp. */
static inline unsigned soft_lane(void)
{
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    soft_warp_sync(mask);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return soft_warp_ballot(mask, predicate);
}
static inline int __any_sync(unsigned mask, int predicate)
{
    return soft_warp_ballot(mask, predicate) != 0;
}
static inline int __all_sync(unsigned mask, int predicate)
{
    return soft_warp_ballot(mask, !predicate) == 0;
}

/* CUDA promises no more than that the caller is among the active lanes; here every CUDA thread has
 * its own way through the program, so it is the only one. */
static inline unsigned __activemask(void)
{
    return 1u << soft_lane();
}

template <class T> static inline T soft_shuffle(unsigned mask, T value, unsigned source)
{
    static_assert(sizeof(T) <= 8 && __is_trivially_copyable(T), "shuffles move up to 8 bytes");
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = soft_warp_shuffle(mask, bits, source);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* `width` is a power of two up to 32; lanes are numbered within segments of that width, and a
 * source outside of the caller's segment means the own value (__shfl_sync wraps around instead). */
template <class T> static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned segment = soft_lane() & ~(unsigned)(width - 1);
    return soft_shuffle(mask, value, segment | ((unsigned)source & (unsigned)(width - 1)));
}
template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = soft_lane(), within = lane & (unsigned)(width - 1);
    return soft_shuffle(mask, value, within < delta ? lane : lane - delta);
}
template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = soft_lane(), within = lane & (unsigned)(width - 1);
    return soft_shuffle(mask, value, delta >= (unsigned)width - within ? lane : lane + delta);
}
template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32)
{
    unsigned lane = soft_lane(), last = lane | (unsigned)(width - 1);
    unsigned source = (lane ^ (unsigned)lane_mask) & 31;
    return soft_shuffle(mask, value, source > last ? lane : source);
}

#endif
