! What the tests of coarrays share: checks that are counted on each image and summed up at the end,
! and random numbers that are the same in every run.
module testing
    use, intrinsic :: iso_fortran_env, only: error_unit, int64
    implicit none
    private
    public :: at_most, check, finish, pick

    integer :: failures[*] = 0
    integer(int64) :: state = 0

contains

    ! Counts a failure, and says what failed, unless the condition holds.
    subroutine check(condition, what)
        logical, intent(in) :: condition
        character(len=*), intent(in) :: what

        if (condition) return
        failures = failures + 1
        write (error_unit, '(a,i0,2a)') 'image ', this_image(), ': wrong: ', what
    end subroutine check

    ! Every image ends its test here: image 1 says that it has passed if it has on all images.
    subroutine finish()
        integer :: image, total

        sync all
        total = 0
        do image = 1, num_images()
            total = total + failures[image]
        end do
        sync all
        if (total > 0) error stop 1
        if (this_image() == 1) print '(a)', 'Test passed.'
    end subroutine finish

    ! How often something is repeated: where TESTING_TIMES says less, so often, as between nodes all of it takes longer.
    integer function at_most(times)
        integer, intent(in) :: times
        character(len=12) :: text
        integer :: status

        at_most = times
        call get_environment_variable('TESTING_TIMES', text, status=status)
        if (status /= 0) return
        read (text, *) at_most
        at_most = max(1, min(at_most, times))
    end function at_most

    ! A whole number from low to high; every image has its own sequence.
    integer function pick(low, high)
        integer, intent(in) :: low, high

        if (state == 0) state = 12345 + 1000 * this_image()
        state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
        pick = low + int(mod(state / 65536_int64, int(high - low + 1, int64)))
    end function pick
end module testing
