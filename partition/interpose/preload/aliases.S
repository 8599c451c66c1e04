/* aliases.S: the names of functions for programs that were built with per-thread default streams.
   Here every stream of the program leads to the same stream of each device, the default one, too. */
#if defined(__x86_64__)
#define JUMP(function) jmp function@PLT
#else
#define JUMP(function) b function
#endif

        .macro  per_thread function, ending
        .globl  \function\ending
        .type   \function\ending, %function
\function\ending:
        JUMP(\function)
        .size   \function\ending, .-\function\ending
        .endm

        .text
        per_thread cuMemcpy, _ptds
        per_thread cuMemcpyHtoD_v2, _ptds
        per_thread cuMemcpyDtoH_v2, _ptds
        per_thread cuMemcpyDtoD_v2, _ptds
        per_thread cuMemcpyPeer, _ptds
        per_thread cuMemcpy2D_v2, _ptds
        per_thread cuMemcpy2DUnaligned_v2, _ptds
        per_thread cuMemcpy3D_v2, _ptds
        per_thread cuMemcpy3DPeer, _ptds
        per_thread cuMemsetD8_v2, _ptds
        per_thread cuMemsetD16_v2, _ptds
        per_thread cuMemsetD32_v2, _ptds
        per_thread cuMemsetD2D8_v2, _ptds
        per_thread cuMemsetD2D16_v2, _ptds
        per_thread cuMemsetD2D32_v2, _ptds
        per_thread cuMemcpyAsync, _ptsz
        per_thread cuMemcpyHtoDAsync_v2, _ptsz
        per_thread cuMemcpyDtoHAsync_v2, _ptsz
        per_thread cuMemcpyDtoDAsync_v2, _ptsz
        per_thread cuMemcpyPeerAsync, _ptsz
        per_thread cuMemcpy2DAsync_v2, _ptsz
        per_thread cuMemcpy3DAsync_v2, _ptsz
        per_thread cuMemcpy3DPeerAsync, _ptsz
        per_thread cuMemsetD8Async, _ptsz
        per_thread cuMemsetD16Async, _ptsz
        per_thread cuMemsetD32Async, _ptsz
        per_thread cuMemsetD2D8Async, _ptsz
        per_thread cuMemsetD2D16Async, _ptsz
        per_thread cuMemsetD2D32Async, _ptsz
        per_thread cuMemAllocAsync, _ptsz
        per_thread cuMemAllocFromPoolAsync, _ptsz
        per_thread cuMemFreeAsync, _ptsz
        per_thread cuStreamWaitEvent, _ptsz
        per_thread cuStreamSynchronize, _ptsz
        per_thread cuStreamQuery, _ptsz
        per_thread cuStreamAddCallback, _ptsz
        per_thread cuStreamBeginCapture_v2, _ptsz
        per_thread cuStreamBeginCaptureToGraph, _ptsz
        per_thread cuStreamEndCapture, _ptsz
        per_thread cuEventRecord, _ptsz
        per_thread cuEventRecordWithFlags, _ptsz
        per_thread cuLaunchHostFunc, _ptsz
        per_thread cuLaunchKernel, _ptsz
        per_thread cuLaunchKernelEx, _ptsz
        per_thread cuLaunchCooperativeKernel, _ptsz
        per_thread cuGraphLaunch, _ptsz

        .section .note.GNU-stack, "", %progbits
