! Ends in the way that the argument says; tests/coarrays_fortran.bats knows what should come of it.
program stop_codes
    implicit none

    interface
        subroutine end_process(code) bind(c, name='exit')
            use, intrinsic :: iso_c_binding, only: c_int
            integer(c_int), value :: code
        end subroutine end_process
    end interface

    character(len=20) :: way
    integer :: x(3)[*], y(2)

    call get_command_argument(1, way)
    x = this_image()
    print '(a,i0)', 'started ', this_image()
    sync all
    select case (way)
    case ('end')
        continue
    case ('stop')
        stop
    case ('code')
        stop 3
    case ('text')
        stop 'enough'
    case ('quiet')
        stop 4, quiet=.true.
    case ('one')
        if (this_image() == 1) stop 5
    case ('error')
        if (this_image() == num_images()) error stop
        sync all
    case ('error-code')
        if (this_image() == num_images()) error stop 6
        sync all
    case ('error-text')
        if (this_image() == num_images()) error stop 'it broke'
        sync all
    case ('error-quiet')
        if (this_image() == num_images()) error stop 7, quiet=.true.
        sync all
    case ('fail')
        if (this_image() == num_images()) fail image
        sync all
    case ('dies')
        if (this_image() == 2) call end_process(3)
    case ('put')
        x(2)[num_images() + 5] = 1
        sync all
    case ('get')
        y = x(1:3:2)[num_images() + 5]
        sync all
    case ('print')
        print '(a,i0)', 'seen ', x(1)[num_images() + 5]
        sync all
    case ('print-stop')
        print '(a,i0)', 'seen ', of_no_image()
        sync all
    case ('stopped')
        if (this_image() == 1) stop
        sync all
    case ('memory')
        call too_much()
    case ('vector')
        y = [1, 3]
        x(y(2:1:-1))[1] = 5
        print '(a)', 'not reached'
    case default
        error stop 'which way?'
    end select

contains

    integer function of_no_image()
        of_no_image = this_image()
        if (of_no_image == num_images()) error stop 9
    end function of_no_image

    subroutine too_much()
        integer, allocatable :: a(:)[:]

        allocate (a(2 * 10_8**12)[*])
        a(1) = 1
    end subroutine too_much
end program stop_codes
