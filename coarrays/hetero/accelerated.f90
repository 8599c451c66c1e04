! Coarrays that the GPU computes on, from Fortran: the calls of accelerated.h, which tells their
! meaning. Functions that return an integer return 0, or a status (datamotion/status.h) that accelerated_error() explains.
! Offsets and sizes are bytes; a stream is a cudaStream_t, c_null_ptr the default one.
module accelerated
    use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_null_char, c_ptr, c_size_t
    implicit none
    private
    public :: accelerated_allocate, accelerated_free, accelerated_memory, accelerated_get, &
              accelerated_put, accelerated_sync, accelerated_wait, accelerated_use_device, accelerated_error

    ! Kinds of memory.
    enum, bind(c)
        enumerator :: accelerated_managed, accelerated_mapped, accelerated_device
    end enum
    public :: accelerated_managed, accelerated_mapped, accelerated_device

    interface
        ! Collective.
        function accelerated_allocate(coarray, bytes, kind) result(code) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), intent(inout) :: coarray
            integer(c_size_t), value :: bytes
            integer(c_int), value :: kind
            integer(c_int) :: code
        end function accelerated_allocate

        ! Collective.
        function accelerated_free(coarray) result(code) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: coarray
            integer(c_int) :: code
        end function accelerated_free

        ! This image's part: c_f_pointer makes an array of it, for the GPU, and for the CPU unless
        ! the kind is accelerated_device.
        function accelerated_memory(coarray) result(memory) bind(c)
            import :: c_ptr
            type(c_ptr), value :: coarray
            type(c_ptr) :: memory
        end function accelerated_memory

        function accelerated_get(to, from, image, offset, bytes, stream) result(code) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: to, from, stream
            integer(c_int), value :: image
            integer(c_size_t), value :: offset, bytes
            integer(c_int) :: code
        end function accelerated_get

        function accelerated_put(to, image, offset, from, bytes, stream) result(code) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: to, from, stream
            integer(c_int), value :: image
            integer(c_size_t), value :: offset, bytes
            integer(c_int) :: code
        end function accelerated_put

        ! Collective: sync all, the GPU's work included.
        function accelerated_sync(count, coarrays) result(code) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: count
            type(c_ptr), intent(in) :: coarrays(*)
            integer(c_int) :: code
        end function accelerated_sync

        ! Returns when the stream's gets, puts and kernels are done. 0, or CUDA's error.
        function accelerated_wait(stream) result(error) bind(c, name='cudaStreamSynchronize')
            import :: c_int, c_ptr
            type(c_ptr), value :: stream
            integer(c_int) :: error
        end function accelerated_wait

        ! The GPU, counted from 0, of this image's allocations from here on. 0, or CUDA's error.
        function accelerated_use_device(device) result(error) bind(c, name='cudaSetDevice')
            import :: c_int
            integer(c_int), value :: device
            integer(c_int) :: error
        end function accelerated_use_device

        function error_text() result(text) bind(c, name='dm_message')
            import :: c_ptr
            type(c_ptr) :: text
        end function error_text
    end interface

contains

    ! What the last call that failed had to say; empty if none failed.
    function accelerated_error() result(text)
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer, parameter :: longest = 1024
        integer :: i

        text = ''
        call c_f_pointer(error_text(), letters, [longest])
        do i = 1, longest
            if (letters(i) == c_null_char) exit
            text = text//letters(i)
        end do
    end function accelerated_error
end module accelerated
