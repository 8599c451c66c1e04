! Synchronisation, atomics, collectives and allocation with coarrays (bench/sync.h).
module sync_coarray
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, lock_type
    implicit none
    private

    ! SYNC_ALLOCATED
    integer, parameter :: allocated_length = 1024

    integer(atomic_int_kind), allocatable :: word[:]
    integer, allocatable :: counter[:]
    type(lock_type), allocatable :: lock_of[:]
    type(event_type), allocatable :: event_of[:]

contains

    subroutine sync_open() bind(c)
        allocate(word[*], counter[*])
        allocate(lock_of[*])
        allocate(event_of[*])
        call atomic_define(word, 0)
        counter = 0
        sync all
    end subroutine sync_open

    subroutine sync_close() bind(c)
        deallocate(word, counter, lock_of, event_of)
    end subroutine sync_close

    ! ---- timed ----

    subroutine sync_all_images(times) bind(c)
        integer(c_int), value :: times
        integer :: i
        do i = 1, times
            sync all
        end do
    end subroutine sync_all_images

    subroutine sync_with_images(times, count, image) bind(c)
        integer(c_int), value :: times, count
        integer(c_int), intent(in) :: image(count)
        integer :: i
        do i = 1, times
            sync images (image)
        end do
    end subroutine sync_with_images

    subroutine sync_event(times, partner, first) bind(c)
        integer(c_int), value :: times, partner, first
        integer :: i
        do i = 1, times
            if (first /= 0) event post (event_of[partner])
            event wait (event_of)
            if (first == 0) event post (event_of[partner])
        end do
    end subroutine sync_event

    subroutine sync_lock(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i
        do i = 1, times
            lock (lock_of[image])
            unlock (lock_of[image])
        end do
    end subroutine sync_lock

    subroutine sync_critical(times) bind(c)
        integer(c_int), value :: times
        integer :: i
        do i = 1, times
            critical
            end critical
        end do
    end subroutine sync_critical

    subroutine sync_add(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i
        do i = 1, times
            call atomic_add(word[image], 1)
        end do
        sync memory
    end subroutine sync_add

    function sync_fetch_add(times, image) result(total) bind(c)
        integer(c_int), value :: times, image
        real(c_double) :: total
        integer(atomic_int_kind) :: old
        integer :: i
        total = 0
        do i = 1, times
            call atomic_fetch_add(word[image], 1, old)
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
            call co_sum(total)
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
            call co_broadcast(received, source_image=1)
        end do
    end function sync_broadcast

    subroutine sync_allocate(times) bind(c)
        integer(c_int), value :: times
        real(c_double), allocatable :: made(:)[:]
        integer :: i
        do i = 1, times
            allocate(made(allocated_length)[*])
            deallocate(made)
        end do
    end subroutine sync_allocate

    ! ---- for the checks ----

    subroutine sync_define(image, value) bind(c)
        integer(c_int), value :: image, value
        call atomic_define(word[image], value)
    end subroutine sync_define

    function sync_word() result(value) bind(c)
        integer(c_int) :: value
        call atomic_ref(value, word)
    end function sync_word

    subroutine sync_locked_add(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i
        do i = 1, times
            lock (lock_of[image])
            counter[image] = counter[image] + 1
            unlock (lock_of[image])
        end do
    end subroutine sync_locked_add

    subroutine sync_critical_add(times) bind(c)
        integer(c_int), value :: times
        integer :: i
        do i = 1, times
            critical
                counter[1] = counter[1] + 1
            end critical
        end do
    end subroutine sync_critical_add

    function sync_counter() result(value) bind(c)
        integer(c_int) :: value
        value = counter
    end function sync_counter

    subroutine sync_post(times, image) bind(c)
        integer(c_int), value :: times, image
        integer :: i
        do i = 1, times
            event post (event_of[image])
        end do
    end subroutine sync_post

    function sync_posted() result(count) bind(c)
        integer(c_int) :: count
        call event_query(event_of, count)
    end function sync_posted

    subroutine sync_take(count) bind(c)
        integer(c_int), value :: count
        event wait (event_of, until_count=count)
    end subroutine sync_take

    function sync_allocated(image, value) result(came) bind(c)
        integer(c_int), value :: image
        real(c_double), value :: value
        real(c_double) :: came
        real(c_double), allocatable :: made(:)[:]
        allocate(made(allocated_length)[*])
        made(allocated_length)[image] = value
        sync all
        came = made(allocated_length)
        deallocate(made)
    end function sync_allocated

end module sync_coarray
