/* dlsym_entry.S: dlsym(handle, name), which leaves no frame behind when the C library's serves: that
   takes the caller from the return address. */
#if defined(__x86_64__)

        .text
        .globl  dlsym
        .type   dlsym, @function
dlsym:
        .cfi_startproc
        endbr64
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        call    dlsym_interposed
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        testq   %rax, %rax
        jz      1f
        ret
1:      jmp     *dlsym_real(%rip)
        .cfi_endproc
        .size   dlsym, .-dlsym

#elif defined(__aarch64__)

        .text
        .globl  dlsym
        .type   dlsym, %function
dlsym:
        .cfi_startproc
        stp     x29, x30, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_offset x29, -32
        .cfi_offset x30, -24
        mov     x29, sp
        stp     x0, x1, [sp, #16]
        bl      dlsym_interposed
        mov     x9, x0
        ldp     x0, x1, [sp, #16]
        ldp     x29, x30, [sp], #32
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        cbz     x9, 1f
        mov     x0, x9
        ret
1:      adrp    x9, dlsym_real
        ldr     x9, [x9, :lo12:dlsym_real]
        br      x9
        .cfi_endproc
        .size   dlsym, .-dlsym

#else
#error "dlsym_entry.S is written for x86-64 and AArch64"
#endif

        .section .note.GNU-stack, "", %progbits
