! What cannot be read from another image's component is told by STAT=, and nothing is read; an
! allocation that does not fit changes nothing.
program component_errors
    use testing
    implicit none

    type :: box
        real, allocatable :: a(:)
        real, pointer :: p(:)
        integer, allocatable :: m(:, :)
    end type

    type(box) :: x[*]
    real, target :: elsewhere(3)
    integer :: me, n, next

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    sync all
    call unallocated()
    sync all
    allocate (x%a(4), x%m(2, 0:3))
    x%a = me
    x%m = me
    sync all
    call wrong_subscripts()
    call wrong_shapes()
    call wrong_images()
    call pointers()
    sync all
    call too_large()
    call finish()

contains

    subroutine unallocated()
        real :: y(2)
        integer :: stat
        y = -1
        stat = 0
        y = x[next, stat=stat]%a(1:2)
        call check(stat /= 0 .and. all(y == -1), 'a component that is not allocated')
    end subroutine

    subroutine wrong_subscripts()
        real :: y(2)
        integer :: stat, at(2), z(2)
        y = -1
        stat = 0
        y = x[next, stat=stat]%a(4:5)
        call check(stat /= 0 .and. all(y == -1), 'a range that ends outside')
        stat = 0
        y(1) = x[next, stat=stat]%a(0)
        call check(stat /= 0 .and. y(1) == -1, 'an element outside')
        at = [1, 5]
        stat = 0
        y = x[next, stat=stat]%a(at)
        call check(stat /= 0 .and. all(y == -1), 'a vector subscript outside')
        z = -1
        stat = 0
        z = x[next, stat=stat]%m(:, 4)
        call check(stat /= 0 .and. all(z == -1), 'a second subscript outside')
        stat = 7
        z = x[next, stat=stat]%m(:, 3)
        call check(stat == 0 .and. all(z == next), 'subscripts inside')
    end subroutine

    subroutine wrong_shapes()
        real :: y(3)
        integer :: stat
        y = -1
        stat = 0
        y = x[next, stat=stat]%a
        call check(stat /= 0 .and. all(y == -1), 'four elements for three')
    end subroutine

    subroutine wrong_images()
        real :: y(4)
        integer :: stat
        y = -1
        stat = 0
        y = x[n + 1, stat=stat]%a
        call check(stat /= 0 .and. all(y == -1), 'an image that is none')
    end subroutine

    subroutine pointers()
        real :: y(3)
        integer :: stat
        x%p => elsewhere
        elsewhere = me
        y = -1
        sync all
        stat = 0
        y = x[next, stat=stat]%p(1:3)
        call check(merge(all(y == next), all(y == -1), stat == 0), 'a pointer to what is no component of a coarray')
        sync all
    end subroutine

    subroutine too_large()
        integer :: stat
        real :: y(4)
        deallocate (x%a)
        allocate (x%a(250000000), stat=stat)
        call check(stat /= 0 .and. .not. allocated(x%a), 'an allocation that does not fit')
        allocate (x%a(4), stat=stat)
        call check(stat == 0, 'an allocation that fits')
        x%a = 2 * me
        sync all
        y = x[next]%a
        call check(all(y == 2 * next), 'after an allocation that did not fit')
    end subroutine
end program
