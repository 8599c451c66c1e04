! What MPI has that comes nearest to the synchronisation of coarrays (bench/sync.h).
module sync_mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int, c_ptr
    use mpi_f08
    implicit none
    private

    ! SYNC_ALLOCATED
    integer, parameter :: allocated_length = 1024
    integer, parameter :: word_bytes = storage_size(0) / 8, double_bytes = storage_size(0d0) / 8
    integer(MPI_ADDRESS_KIND), parameter :: start = 0

    ! A communicator of its own, so that errors end the program with MPI's message.
    type(MPI_Comm) :: images
    integer :: me
    ! The word, always accessible; the counter, which needs the lock of its window.
    type(MPI_Win) :: words, counters
    integer, pointer, asynchronous :: word, counter
    integer :: unread   ! posts that sync_posted has received and sync_take has not

contains

    subroutine open_window(window, memory)
        type(MPI_Win), intent(out) :: window
        integer, pointer, intent(out) :: memory
        type(c_ptr) :: address
        call MPI_Win_allocate(int(word_bytes, MPI_ADDRESS_KIND), word_bytes, MPI_INFO_NULL, images, &
                              address, window)
        call c_f_pointer(address, memory)
        memory = 0
    end subroutine open_window

    subroutine sync_open() bind(c)
        call MPI_Comm_dup(MPI_COMM_WORLD, images)
        call MPI_Comm_set_errhandler(images, MPI_ERRORS_ARE_FATAL)
        call MPI_Comm_rank(images, me)
        unread = 0
        call open_window(words, word)
        call open_window(counters, counter)
        call MPI_Win_lock_all(MPI_MODE_NOCHECK, words)
        call MPI_Barrier(images)
    end subroutine sync_open

    subroutine sync_close() bind(c)
        call MPI_Win_unlock_all(words)
        call MPI_Win_free(words)
        call MPI_Win_free(counters)
        call MPI_Comm_free(images)
    end subroutine sync_close

    ! ---- timed ----

    subroutine sync_all_images(times) bind(c)
        integer(c_int), value :: times
        integer :: i
        do i = 1, times
            call MPI_Barrier(images)
        end do
    end subroutine sync_all_images

    ! A message without content to and from each.
    subroutine sync_with_images(times, count, image) bind(c)
        integer(c_int), value :: times, count
        integer(c_int), intent(in) :: image(count)
        type(MPI_Request) :: requests(2 * count)
        integer :: i, j, nothing(0)
        do i = 1, times
            do j = 1, count
                call MPI_Irecv(nothing, 0, MPI_INTEGER, image(j) - 1, 0, images, requests(j))
                call MPI_Isend(nothing, 0, MPI_INTEGER, image(j) - 1, 0, images, requests(count + j))
            end do
            call MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE)
        end do
    end subroutine sync_with_images

    subroutine sync_event(times, partner, first) bind(c)
        integer(c_int), value :: times, partner, first
        integer :: i
        do i = 1, times
            if (first /= 0) call sync_post(1, partner)
            call sync_take(1)
            if (first == 0) call sync_post(1, partner)
        end do
    end subroutine sync_event

    subroutine sync_lock(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i
        do i = 1, times
            call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, image - 1, 0, counters)
            call MPI_Win_unlock(image - 1, counters)
        end do
    end subroutine sync_lock

    subroutine sync_critical(times) bind(c)
        integer(c_int), value :: times
        call sync_lock(times, 1)
    end subroutine sync_critical

    subroutine sync_add(times, image) bind(c)
        integer(c_int), value :: times, image
        integer, asynchronous :: one
        integer :: i
        one = 1
        do i = 1, times
            call MPI_Accumulate(one, 1, MPI_INTEGER, image - 1, start, 1, MPI_INTEGER, MPI_SUM, words)
        end do
        call MPI_Win_flush(image - 1, words)
    end subroutine sync_add

    function sync_fetch_add(times, image) result(total) bind(c)
        integer(c_int), value :: times, image
        real(c_double) :: total
        integer, asynchronous :: one, old
        integer :: i
        one = 1
        total = 0
        do i = 1, times
            call MPI_Fetch_and_op(one, old, MPI_INTEGER, image - 1, start, MPI_SUM, words)
            call MPI_Win_flush(image - 1, words)
            total = total + old
        end do
    end function sync_fetch_add

    function sync_sum(times, value) result(total) bind(c)
        integer(c_int), value :: times
        real(c_double), value :: value
        real(c_double) :: total
        integer :: i
        total = 0
        do i = 1, times
            total = value
            call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, images)
        end do
    end function sync_sum

    function sync_broadcast(times, value) result(received) bind(c)
        integer(c_int), value :: times
        real(c_double), value :: value
        real(c_double) :: received
        integer :: i
        received = 0
        do i = 1, times
            received = value
            call MPI_Bcast(received, 1, MPI_DOUBLE_PRECISION, 0, images)
        end do
    end function sync_broadcast

    subroutine allocate_window(memory, window)
        type(c_ptr), intent(out) :: memory
        type(MPI_Win), intent(out) :: window
        call MPI_Win_allocate(int(allocated_length * double_bytes, MPI_ADDRESS_KIND), double_bytes, &
                              MPI_INFO_NULL, images, memory, window)
        call MPI_Win_lock_all(MPI_MODE_NOCHECK, window)
    end subroutine allocate_window

    subroutine free_window(window)
        type(MPI_Win), intent(inout) :: window
        call MPI_Win_unlock_all(window)
        call MPI_Win_free(window)
    end subroutine free_window

    subroutine sync_allocate(times) bind(c)
        integer(c_int), value :: times
        type(c_ptr) :: memory
        type(MPI_Win) :: window
        integer :: i
        do i = 1, times
            call allocate_window(memory, window)
            call free_window(window)
        end do
    end subroutine sync_allocate

    ! ---- for the checks ----

    subroutine sync_define(image, value) bind(c)
        integer(c_int), value :: image, value
        integer, asynchronous :: new
        new = value
        call MPI_Accumulate(new, 1, MPI_INTEGER, image - 1, start, 1, MPI_INTEGER, MPI_REPLACE, words)
        call MPI_Win_flush(image - 1, words)
    end subroutine sync_define

    function sync_word() result(value) bind(c)
        integer(c_int) :: value
        integer, asynchronous :: nothing, old
        nothing = 0
        call MPI_Fetch_and_op(nothing, old, MPI_INTEGER, me, start, MPI_NO_OP, words)
        call MPI_Win_flush(me, words)
        value = old
    end function sync_word

    subroutine sync_locked_add(times, image) bind(c)
        integer(c_int), value :: times, image
        integer, asynchronous :: value
        integer :: i
        do i = 1, times
            call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, image - 1, 0, counters)
            call MPI_Get(value, 1, MPI_INTEGER, image - 1, start, 1, MPI_INTEGER, counters)
            call MPI_Win_flush(image - 1, counters)
            value = value + 1
            call MPI_Put(value, 1, MPI_INTEGER, image - 1, start, 1, MPI_INTEGER, counters)
            call MPI_Win_unlock(image - 1, counters)
        end do
    end subroutine sync_locked_add

    subroutine sync_critical_add(times) bind(c)
        integer(c_int), value :: times
        call sync_locked_add(times, 1)
    end subroutine sync_critical_add

    function sync_counter() result(value) bind(c)
        integer(c_int) :: value
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, counters)
        value = counter
        call MPI_Win_unlock(me, counters)
    end function sync_counter

    ! A post is a message without content; tag 1 keeps it apart from sync_with_images.
    subroutine sync_post(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i, nothing(0)
        do i = 1, times
            call MPI_Send(nothing, 0, MPI_INTEGER, image - 1, 1, images)
        end do
    end subroutine sync_post

    ! MPI does not tell how many messages have come: they are received to be counted.
    function sync_posted() result(count) bind(c)
        integer(c_int) :: count
        logical :: some
        do
            call MPI_Iprobe(MPI_ANY_SOURCE, 1, images, some, MPI_STATUS_IGNORE)
            if (.not. some) exit
            call receive_post()
            unread = unread + 1
        end do
        count = unread
    end function sync_posted

    subroutine sync_take(count) bind(c)
        integer(c_int), value :: count
        integer :: i, read
        read = min(count, unread)
        unread = unread - read
        do i = read + 1, count
            call receive_post()
        end do
    end subroutine sync_take

    subroutine receive_post()
        integer :: nothing(0)
        call MPI_Recv(nothing, 0, MPI_INTEGER, MPI_ANY_SOURCE, 1, images, MPI_STATUS_IGNORE)
    end subroutine receive_post

    function sync_allocated(image, value) result(came) bind(c)
        integer(c_int), value :: image
        real(c_double), value :: value
        real(c_double) :: came
        real(c_double), pointer, asynchronous :: made(:)
        real(c_double), asynchronous :: sent
        type(c_ptr) :: memory
        type(MPI_Win) :: window
        call allocate_window(memory, window)
        call c_f_pointer(memory, made, [allocated_length])
        sent = value
        call MPI_Put(sent, 1, MPI_DOUBLE_PRECISION, image - 1, &
                     int(allocated_length - 1, MPI_ADDRESS_KIND), 1, MPI_DOUBLE_PRECISION, window)
        call MPI_Win_flush(image - 1, window)
        call MPI_Barrier(images)
        call MPI_Win_sync(window)
        came = made(allocated_length)
        call free_window(window)
    end function sync_allocated

end module sync_mpi
