/* pull_image.S: the module of pull.cu inside the library. IMAGE is its file. */
    .section .rodata
    .balign 16
    .global pull_image
    .hidden pull_image
pull_image:
    .incbin IMAGE
    .byte 0 /* ends a PTX text */
    .section .note.GNU-stack, "", @progbits
